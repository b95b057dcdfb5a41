# Picket, the agent and the service: the bundle, Node.js and the six libraries that it needs, without a shell or a
# package manager.
# Builds for linux/amd64 and linux/arm64.
# A tag may come to mean another image: docs/security.md says how to build on the digest that you verified.
ARG NODE_IMAGE=node:26-bookworm-slim
FROM $NODE_IMAGE AS build
WORKDIR /src
# A fifth of node is symbols that only a debugger reads.
RUN apt-get update && apt-get install --yes --no-install-recommends binutils && strip /usr/local/bin/node
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node packaging/build.ts /image/usr/lib/picket
# What the loader says that node needs, at the same paths; the C library resolves names by files and by DNS itself.
RUN cp --parents -L /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /image \
 && mkdir -p /image/etc/ssl/certs /image/licenses /state && install -d -m 1777 /image/tmp \
 && cp LICENSE /image/licenses/picket \
 && cp /usr/local/LICENSE /image/licenses/node \
 && for library in libc6 libgcc-s1 libstdc++6 libatomic1; do cp /usr/share/doc/$library/copyright /image/licenses/$library; done \
 && echo 'picket:x:65532:65532:picket:/var/lib/picket:/nonexistent' >/image/etc/passwd \
 && echo 'picket:x:65532:' >/image/etc/group \
 && echo 'hosts: files dns' >/image/etc/nsswitch.conf

FROM scratch
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Picket" \
      org.opencontainers.image.description="A private-location checker agent, and its self-hosted service: HTTP, TCP and DNS checks from inside your own network." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
COPY --from=build /image /
COPY --from=build --chown=65532:65532 /state /var/lib/picket
# Without the last two, the C library keeps an arena for each thread, and in it the memory of every large body that was
# freed: half of a small container.
ENV PICKET_STATE_DIR=/var/lib/picket \
    PICKET_LISTEN=0.0.0.0:8686 \
    PICKET_SERVICE_DATABASE=/var/lib/picket/service.sqlite \
    PICKET_SERVICE_LISTEN=0.0.0.0:8787 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072
USER 65532:65532
VOLUME /var/lib/picket
EXPOSE 8686 8787
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["/usr/local/bin/node", "--disable-warning=ExperimentalWarning", "--max-old-space-size=16", "--max-semi-space-size=1", "--no-parallel-scavenge", "--optimize-for-size", "--v8-pool-size=0", "/usr/lib/picket/picket.mjs", "health"]
# V8 fits its heap to the container's memory instead of the machine's: each thread has at most this share of it. The
# last of its compilers takes 6 to 12 MB of memory, and saves 4 % of the time of a check at most.
# --optimize-for-size is for the start and for a large agent: one that is small takes it back (src/agent/heap-growth.ts).
ENTRYPOINT ["/usr/local/bin/node", "--disable-warning=ExperimentalWarning", "--disable-sigusr1", "--min-semi-space-size=1", "--max-semi-space-size=1", "--no-parallel-scavenge", "--max-old-space-size-percentage=25", "--no-turbofan", "--optimize-for-size", "--v8-pool-size=1", "/usr/lib/picket/picket.mjs"]
CMD ["agent"]
