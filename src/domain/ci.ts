// Whether a command runs in CI.

/** Variables that CI systems set in every job. Some of these systems don't set CI. */
const CI_VARIABLES =
  "CI BUILDKITE CIRCLECI CODEBUILD_BUILD_ID GITHUB_ACTIONS GITLAB_CI JENKINS_URL TEAMCITY_VERSION TF_BUILD".split(" ");

export function isCi(env: Readonly<Record<string, string | undefined>>): boolean {
  return CI_VARIABLES.some((name) => !["", "0", "false"].includes((env[name] ?? "").trim().toLowerCase()));
}
