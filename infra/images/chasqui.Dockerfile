# One image per process, of the same parts: `--target api` (also serves the web), `worker`, `sandbox`, `database`.
# Every step is an npm script, the same that a developer and the tests run.
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
CMD ["npm", "run", "migrate"]

FROM servers AS worker
CMD ["npm", "run", "start:worker"]

FROM servers AS sandbox
ENV SANDBOX_HOST=0.0.0.0
EXPOSE 3001
CMD ["npm", "run", "start:sandbox"]

FROM servers AS api
EXPOSE 3000
CMD ["npm", "run", "start:api"]
