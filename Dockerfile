# One image for every program: server, worker, migrate, demo, and the tollgate command.

FROM node:22.23.3-bookworm-slim AS node

FROM node AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node AS packages
WORKDIR /packages
COPY package.json package-lock.json ./
# The workflows are bundled already, so the worker never loads the compiler of the bundler. Of the
# native library of Temporal, which comes for every platform, only one can be loaded here.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@swc/core-* node_modules/@temporalio/core-bridge/sdk-core \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

# Without npm and its like, which the image of Node has. Alpine does not work: Temporal's library
# needs glibc.
FROM debian:12.13-slim
# Temporal's library reads the system's certificates. Node has its own.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && groupadd --gid 1000 tollgate \
  && useradd --uid 1000 --gid 1000 --no-create-home --home-dir /app tollgate \
  && install --directory --owner=tollgate --group=tollgate --mode=700 /data
COPY --from=node /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist .
COPY LICENSE .
COPY --chmod=755 deploy/entrypoint.sh /usr/local/bin/entrypoint

ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Tollgate" \
  org.opencontainers.image.description="Self-hosted checkout payment service" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"

ENV NODE_ENV=production DATA_DIR=/data WORKER_HEALTH_PORT=8084
USER 1000:1000
EXPOSE 8080 8081 8082 9464
# Longer than the 25 seconds in which a program stops: docker run --stop-timeout 30.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["entrypoint", "health"]
ENTRYPOINT ["entrypoint"]
CMD ["server"]
