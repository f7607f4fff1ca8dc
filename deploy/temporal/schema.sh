#!/bin/sh
# Creates Temporal's databases, and brings their tables up to the version of this image. Existing
# ones stay as they are.
set -eu
SQL_PASSWORD=$(cat /run/postgres/password)
export SQL_PASSWORD

tool() {
  database=$1
  shift
  temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal \
    --database "$database" "$@"
}

prepare() {
  tool "$1" create
  tool "$1" setup-schema --version 0.0
  tool "$1" update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$2/versioned"
}

prepare temporal temporal
prepare temporal_visibility visibility
