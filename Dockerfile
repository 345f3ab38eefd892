# Feltwork in one image: the service, the bookkeeper and the migrations are the same program.
FROM python:3.11-slim AS build
WORKDIR /opt/feltwork
RUN pip install --no-cache-dir "uv>=0.9,<1"
COPY pyproject.toml uv.lock README.md LICENSE NOTICE ./
COPY src src
COPY tools/verify_books.py tools/verify_books.py
# Exactly the versions of the lock; what is not in it is not in the image.
RUN uv sync --locked --no-default-groups --extra documents --extra workbench --no-editable

FROM python:3.11-slim
# Pango draws the win pages and certificates.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --create-home --home-dir /var/lib/feltwork feltwork
# The programs belong to root: whoever runs them cannot change them.
COPY --from=build /opt/feltwork/.venv /opt/feltwork/.venv
ENV PATH=/opt/feltwork/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    FELTWORK_CACHE=/tmp/feltwork
USER feltwork
WORKDIR /var/lib/feltwork
EXPOSE 8017
ENTRYPOINT ["feltwork"]
CMD ["--help"]
