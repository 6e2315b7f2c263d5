#!/usr/bin/env bash
# Holds the storage contract on a real etcd, started for it on free ports of loopback with data of its own:
#   ETCD_BIN=/path/to/etcd test/integration/real-etcd.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
etcd=${ETCD_BIN:?names the etcd to run}
PATH=$PWD/node_modules/.bin:$PATH

free_port() { node --import tsx --input-type=module -e 'import { freePort } from "./test/free-port.ts"; console.log(await freePort())'; }
client=http://127.0.0.1:$(free_port)
peer=http://127.0.0.1:$(free_port)
data=$(mktemp -d)
"$etcd" --data-dir "$data/data" --listen-client-urls "$client" --advertise-client-urls "$client" --listen-peer-urls "$peer" \
  --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer" --log-level error >"$data/etcd.log" 2>&1 &
pid=$!
trap 'kill $pid 2>/dev/null; wait $pid 2>/dev/null || true; rm -rf "$data"' EXIT
until curl -sf "$client/health" >/dev/null; do
  kill -0 $pid || { cat "$data/etcd.log"; exit 1; }
  sleep 0.05
done
ETCD_ENDPOINTS=$client node --import tsx --test shared/storage/testing/etcd-contract.ts
