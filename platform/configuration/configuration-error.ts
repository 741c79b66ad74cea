/** Variables as the shell, a file or docker compose gives them. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The problem of a variable: the rest of a sentence that begins with its name. Never contains a value. */
export interface Problem {
  readonly variable: string;
  readonly reason: string;
}

/** The configuration cannot be used. The message has a line for each problem. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems].join('\n- '));
    this.problems = problems;
  }
}
