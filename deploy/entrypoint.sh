#!/bin/sh
# Runs a program of the image as process 1, which gets the signals.
set -eu
cd /app

case "${1:-}" in
  server)
    exec node server.js
    ;;
  worker)
    # Each look-up of a receiver's name takes a thread, which a silent name server blocks.
    export UV_THREADPOOL_SIZE="${UV_THREADPOOL_SIZE:-64}"
    exec node worker.js
    ;;
  migrate)
    exec node cli/tollgate.js "$@"
    ;;
  tollgate)
    shift
    exec node cli/tollgate.js "$@"
    ;;
  demo)
    exec node demo/server.js --config "$DATA_DIR/demo.json"
    ;;
  health)
    # A container runs one of the programs. The one that listens is asked.
    exec node --input-type=module --eval '
      const responds = async (url) => (await fetch(url)).ok;
      const all = process.argv.slice(1).map(responds);
      const some = await Promise.any(all).catch(() => false);
      process.exit(some ? 0 : 1);
    ' "http://127.0.0.1:${API_PORT:-8080}/livez" "http://127.0.0.1:$WORKER_HEALTH_PORT" \
      http://127.0.0.1:8083/healthz
    ;;
  *)
    echo "usage: server | worker | migrate | tollgate COMMAND | demo | health" >&2
    exit 2
    ;;
esac
