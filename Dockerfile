# The image with linkform. Build it in a checkout: docker build --tag linkform .
FROM node:22-alpine AS build
WORKDIR /linkform
COPY . .
RUN npm ci --ignore-scripts && npm run --silent build

FROM node:22-alpine
RUN apk add --no-cache git
COPY --from=build /linkform/package.json /linkform/LICENSE /opt/linkform/
COPY --from=build /linkform/dist /opt/linkform/dist
COPY --from=build /linkform/schemas /opt/linkform/schemas
RUN ln -s /opt/linkform/dist/cli.js /usr/local/bin/linkform
USER node
WORKDIR /project
ENTRYPOINT ["linkform"]
