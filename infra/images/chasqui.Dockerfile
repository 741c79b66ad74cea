# One image per process, of the same parts: `--target api` (also serves the web), `worker`, `sandbox`, `database`.
# It is built by the npm scripts that a developer runs. The processes start without npm, which would stay in memory (66 MB).
FROM node:24-slim AS sources
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY infra/bootstrap.mjs infra/

FROM sources AS build
RUN npm run setup
COPY . .
RUN npm run build

FROM sources AS packages
ENV CHASQUI_PACKAGES=servers
RUN npm run setup

FROM packages AS servers
ENV NODE_ENV=production
COPY --from=build /app/dist dist
USER node

FROM servers AS database
CMD ["node", "--enable-source-maps", "dist/tools/commands/migrate.js"]

FROM servers AS worker
CMD ["node", "--enable-source-maps", "dist/worker/main.js"]

FROM servers AS sandbox
ENV SANDBOX_HOST=0.0.0.0
EXPOSE 3001
CMD ["node", "--enable-source-maps", "dist/sandbox/main.js"]

FROM servers AS api
EXPOSE 3000
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
