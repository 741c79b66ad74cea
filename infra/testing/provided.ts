/** Where the Redis of the tests comes from: one that others use too, a container or a program for each test, or nowhere. */
export type RedisService =
  | { kind: 'server'; url: string }
  | { kind: 'container' }
  | { kind: 'program' }
  | { kind: 'none' };

/** The values that the global set-up provides to the test files. */
export interface TestServices {
  /** Connection string of the server's maintenance database, as its superuser. */
  databaseUrl: string;
  /** Name of the migrated database that test databases are copied from. */
  templateName: string;
  redis: RedisService;
}

declare module 'vitest' {
  interface ProvidedContext {
    services: TestServices;
  }
}
