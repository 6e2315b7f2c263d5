#!/usr/bin/env bash
# Runs whole suites, of which the gate plays a share, and tells result and duration of each at the end; 1 where one failed:
#   test/deep/run.sh [--bounds] [--only TEXT-IN-A-TITLE] [--list] AREA… | all
# --bounds: those that have bounds on time or memory, with these: on a quiet machine. --list: names suites and commands.
# Areas and suites are in areas.ts and suites/. Upstream programs are taken from $REFERENCE_BIN.
set -euo pipefail
cd "$(dirname "$0")/../.."
PATH=$PWD/node_modules/.bin:$PATH exec node --import tsx test/deep/run.ts "$@"
