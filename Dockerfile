# The image with linkform. Build it in a checkout: docker build --tag linkform .
# docs/ci.md, "Run the container", shows how to use it.
FROM node:24-alpine@sha256:e67514e5d0f6c46656005e1b693b2ec9d52e80b641307de684d4a015ba7a4eaf AS build
WORKDIR /linkform
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
# The pinned action that `init` writes. A release passes it.
ARG LINKFORM_ACTION
RUN npm run --silent build

FROM node:24-alpine@sha256:e67514e5d0f6c46656005e1b693b2ec9d52e80b641307de684d4a015ba7a4eaf
LABEL org.opencontainers.image.title="linkform" \
      org.opencontainers.image.description="Short links and tracking pixels as code: plan in the pull request, apply in the deploy." \
      org.opencontainers.image.licenses="MIT"
# For --base.
RUN apk add --no-cache git
COPY --from=build /linkform/package.json /linkform/LICENSE /opt/linkform/
COPY --from=build /linkform/dist /opt/linkform/dist
COPY --from=build /linkform/schemas /opt/linkform/schemas
RUN ln -s /opt/linkform/dist/cli.js /usr/local/bin/linkform
USER node
WORKDIR /project
ENTRYPOINT ["linkform"]
