# Feltwork in one image: the service, the bookkeeper and the migrations are the same program.
# A release names its base by digest: --build-arg BASE=debian:12-slim@sha256:...
ARG BASE=debian:12-slim
FROM ${BASE} AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 python3-pip python3-venv \
 && pip install --no-cache-dir --break-system-packages "uv>=0.9,<1"
WORKDIR /opt/feltwork
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON=/usr/bin/python3 UV_NO_CACHE=1
# Exactly the versions of the lock; what is not in it is not in the image. They change less often than the
# source, so that this layer is kept. A site settles rounds and reads stored counts; the extra `odds` has Numba,
# which counts hands anew, would add 208 MB and is left out. Babel knows a thousand locales; the screens speak three.
ENV SYNC="uv sync --locked --no-default-groups --extra site --extra documents --extra notifications"
COPY pyproject.toml uv.lock ./
RUN $SYNC --no-install-project \
 && find .venv -type d -name tests -prune -exec rm -rf {} + \
 && find .venv -name '*.pyi' -delete \
 && find .venv -path '*/babel/locale-data/*' ! -name 'root.dat' ! -name 'en*' ! -name 'es*' ! -name 'zh*' -delete
COPY README.md LICENSE NOTICE ./
COPY src src
COPY tools/verify_books.py tools/verify_books.py
RUN $SYNC --no-editable

FROM ${BASE}
# Pango draws the win pages and certificates.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends python3 libpango-1.0-0 libpangoft2-1.0-0 \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /usr/share/doc /usr/share/man /usr/share/locale
# The programs belong to root: whoever runs them cannot change them.
COPY --from=build /opt/feltwork/.venv /opt/feltwork/.venv
ENV PATH=/opt/feltwork/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    FELTWORK_CACHE=/tmp/feltwork
LABEL org.opencontainers.image.title="Feltwork" \
      org.opencontainers.image.description="Casino table games and jackpots: rules, exact odds, and books that can be replayed." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/feltwork/feltwork"
# A number, so that an engine can see that it is not root.
USER 10001:10001
WORKDIR /tmp
EXPOSE 8017
# What the service says about itself; compose.yaml has the check of each part.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8017/readyz', timeout=3)"]
ENTRYPOINT ["feltwork"]
CMD ["--help"]
