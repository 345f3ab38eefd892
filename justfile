# Daily commands. `just` lists them.

default:
    @just --list

# Make the environment
setup:
    uv sync

# Tests, as `just test tests/web/test_cage.py`: PostgreSQL starts once and is kept for the next call
test *PATHS:
    uv run python -m tests.support.books keep
    uv run pytest {{PATHS}}

# End the PostgreSQL that `just test` keeps
stop:
    uv run python -m tests.support.books stop

# What needs no server
pure := "tests/hands tests/library tests/paytables tests/sources tests/titles tests/ledger tests/progressive tests/compliance tests/school tests/tidy tests/web/test_catalog.py"

# Tests that need no server, full enumerations left out: a minute
quick *ARGS:
    uv run pytest -n auto -m "not whole" {{pure}} {{ARGS}}

# The same with the lowest versions of the dependencies that pyproject.toml allows, or with the highest, in an environment of its own
versions RESOLUTION="lowest-direct" *ARGS:
    uv venv --quiet --clear build/{{RESOLUTION}}
    uv pip install --quiet --python build/{{RESOLUTION}} --resolution {{RESOLUTION}} --editable '.[all]'
    uv pip install --quiet --python build/{{RESOLUTION}} --group dev
    build/{{RESOLUTION}}/bin/python -m pytest -n auto -m "not whole" {{pure}} {{ARGS}}

# The same, and fail if they cover less of the packages without I/O than pyproject.toml asks for
coverage *ARGS:
    uv run pytest -n auto -m "not whole" --cov --cov-report=term {{pure}} {{ARGS}}

# Format, lint, types, layers, dependencies
check:
    uv run ruff format .
    uv run ruff check .
    uv run mypy
    uv run lint-imports
    uv run deptry .

# Known vulnerabilities of the locked packages, as the package index lists them
vulnerabilities:
    uv export --locked --no-emit-project --quiet | uvx pip-audit --disable-pip --require-hashes --strict -r /dev/stdin

# Prove that a refactoring changes nothing: compare findings, figures, settlements and contracts with tests/same; --record writes it
same *ARGS:
    uv run python -m tools.same {{ARGS}}

# What that cannot compare in minutes: histories, planted bugs, mutants, marks, and speed beside the commit BASE
same-nightly BASE *PARTS:
    uv run python -m tools.same.nightly {{BASE}} {{PARTS}}

# Write the pages that are generated from code and data
generate:
    uv run python tools/generate_docs.py
    uv run python tools/extract_messages.py

# Compute the reports of released paytables that come with the package, after any change of the modules under them
ship-reports:
    uv run python -m tools.ship_reports

# Size and import time of the base installation, and the programs of docs/library.md, from a wheel
measure-install:
    uv run python -m tools.measure_install --programs

# Build the documentation
docs: generate
    uv run sphinx-build -W --keep-going -b html docs docs/_build/html

# Add the fingerprints of new paytables to the lock; a released line never changes
lock-paytables:
    uv run python tools/lock_paytables.py

# Ours beside other evaluators and plain C++
bench *ARGS:
    uv run python bench/odds.py {{ARGS}}

# The books beside bare PostgreSQL
bench-books *ARGS:
    uv run python bench/books.py {{ARGS}}

# What the wire costs: tables through the log into the books
bench-wire *ARGS:
    uv run python bench/wire.py {{ARGS}}

# A year of books as Parquet, its sums beside the reports; some minutes
bench-data *ARGS:
    uv run python bench/data_export.py {{ARGS}}

# Frame times of a sign in Chromium, and how soon a thousand signs hear of a change; a minute or two
bench-signs *ARGS:
    uv run python bench/signs.py {{ARGS}}

# Derive every shipped certificate anew; some minutes
recompute:
    uv run feltwork figures --recompute 'caribbean_stud/*' 'blackjack/*'

# What a commit must pass
ci:
    .ci/run

# What .ci/run leaves out, at most four hours on two cores; each part also runs alone: `just nightly attacks`
nightly *PARTS="whole long histories attacks versions mutants docs install":
    #!/bin/sh
    failed=
    for part in {{PARTS}}; do just "_nightly_$part" || failed="$failed $part"; done
    test -z "$failed" || { echo "failed:$failed"; exit 1; }

_nightly_whole:
    uv run pytest -n auto --dist worksteal --timeout 7200 -m whole tests --ignore tests/browser
    uv run pytest -n 0 -m whole tests/browser

_nightly_long:
    FELTWORK_NIGHTLY=1 uv run pytest -n auto --dist worksteal --timeout 7200 -m "not whole" $(grep -rl --include='test_*.py' 'tests.sizes import' tests)

_nightly_histories: histories

_nightly_attacks:
    uv run python -m lab.torture --seconds 900 --adversarial
    uv run pytest -n auto tests/books/test_forgeries.py tests/books/test_tampering.py tests/properties/test_wrong_claims.py

# Dependencies, and each PostgreSQL that Debian's packages have put on this machine
_nightly_versions: versions (versions "highest")
    for folder in /usr/lib/postgresql/*/bin; do test ! -d $folder || FELTWORK_POSTGRES_BIN=$folder uv run pytest -n auto tests/books tests/bookkeeper || exit 1; done

_nightly_mutants: mutants

_nightly_docs:
    uv run sphinx-build -W --keep-going -q -b html docs docs/_build/html

_nightly_install: install-test

# Install on bare Debian in systemd-nspawn by the guide's commands, reboot, break, restore, upgrade, remove; as root
install-test *ARGS:
    uv run python tools/install_test.py {{ARGS}}

# The container image, with buildah on a Debian made by debootstrap; as root
image *ARGS:
    uv run python tools/build_image.py {{ARGS}}

# The programs of compose.yaml in that image, in their order and with their health checks; as root
composition:
    uv run python tools/run_composition.py

# The Debian package, and the bundle of wheels for a machine without Internet
packages *ARGS:
    uv run python tools/build_packages.py deb {{ARGS}}
    uv run python tools/build_packages.py bundle {{ARGS}}

# Change the code of packages in small ways, and see whether the tests notice no less than tests/same/mutants.toml says
mutants *PACKAGES:
    uv run --group mutants python tools/mutants.py {{PACKAGES}}

# Break every function that is cited for a paragraph of a letter, and see whether its rounds and tests notice
break-functions:
    uv run python tools/break_functions.py

# Random histories through both entry points against the model: 5,000, some tens of minutes
histories COUNT="5000":
    FELTWORK_HISTORIES={{COUNT}} uv run pytest -n auto tests/properties/test_histories.py

# Take the pictures of the screens anew
screenshots *ARGS:
    uv run python -m tools.screenshots {{ARGS}}
