# Caddy as a user without rights. A copy of the program: the original may bind low ports, and a container without that right cannot run it.
FROM caddy:2-alpine
RUN cp /usr/bin/caddy /usr/local/bin/caddy && mkdir -m 700 /home/proxy && chown 1000:1000 /home/proxy
ENV XDG_DATA_HOME=/home/proxy XDG_CONFIG_HOME=/home/proxy
COPY infra/proxy/Caddyfile /etc/caddy/Caddyfile
USER 1000:1000
EXPOSE 8080 8443
CMD ["/usr/local/bin/caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
