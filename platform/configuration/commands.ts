import { z } from 'zod';
import type { FeeSchedule } from '#core/money/fee';
import type { Variables } from './configuration-error.ts';
import { readVariables } from './reading.ts';
import {
  databaseVariables,
  feeVariables,
  generalVariables,
  personalDataVariables,
  postgresUrl,
  redisVariables,
  secret,
  toConnections,
  toFee,
  withPassword,
} from './variables.ts';

/** The configuration of `npm run migrate`. No key of Stripe's or of the bank's is among it. */
export interface MigrateConfiguration {
  /** As the role that api and worker connect as. */
  readonly databaseUrl: string;
  /** As the owner of the tables. The same as `databaseUrl` where one role is everything. */
  readonly ownerUrl: string;
  readonly redisUrl: string | undefined;
  readonly isSandbox: boolean;
  readonly logLevel: string;
  /** Account that is made an admin. */
  readonly firstAdmin: { readonly email: string; readonly password: string } | undefined;
}

const migrateSchema = z
  .object({
    ...generalVariables,
    ...databaseVariables,
    ...redisVariables,
    DATABASE_OWNER_URL: postgresUrl.optional(),
    DATABASE_OWNER_PASSWORD: z.string().optional(),
    ADMIN_EMAIL: z.string().optional(),
    ADMIN_PASSWORD: z.string().optional(),
  })
  .refine((env) => (env.ADMIN_EMAIL === undefined) === (env.ADMIN_PASSWORD === undefined), {
    path: ['ADMIN_EMAIL'],
    message: 'must be given together with ADMIN_PASSWORD, or neither',
    when: () => true,
  });

/** The names of the variables of `npm run migrate`. */
export const migrateVariables = Object.keys(migrateSchema.shape);

/** @throws ConfigurationError */
export function readMigrateConfiguration(source: Variables = process.env): MigrateConfiguration {
  const env = readVariables(migrateSchema, source);
  const { databaseUrl, redisUrl } = toConnections(env);
  const { DATABASE_OWNER_URL: ownerUrl, DATABASE_OWNER_PASSWORD: ownerPassword } = env;
  return {
    databaseUrl,
    ownerUrl: ownerUrl === undefined ? databaseUrl : withPassword(ownerUrl, ownerPassword),
    redisUrl,
    isSandbox: env.CHASQUI_MODE === 'sandbox',
    logLevel: env.LOG_LEVEL,
    firstAdmin:
      env.ADMIN_EMAIL && env.ADMIN_PASSWORD ? { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD } : undefined,
  };
}

/** The configuration of `npm run seed`. */
export interface SeedConfiguration {
  readonly databaseUrl: string;
  readonly logLevel: string;
  readonly demoPassword: string;
  readonly personalDataKeys: readonly Buffer[];
  /** Of the sample transfers. */
  readonly fee: FeeSchedule;
}

const seedSchema = z.object({
  ...generalVariables,
  ...databaseVariables,
  ...feeVariables,
  ...personalDataVariables,
  CHASQUI_MODE: z.literal('sandbox', 'must be sandbox: demo data is seeded in the sandbox only'),
  DEMO_PASSWORD: secret,
});

/** The names of the variables of `npm run seed`. */
export const seedVariables = Object.keys(seedSchema.shape);

/** @throws ConfigurationError, also outside the sandbox. */
export function readSeedConfiguration(source: Variables = process.env): SeedConfiguration {
  const env = readVariables(seedSchema, source);
  return {
    databaseUrl: toConnections(env).databaseUrl,
    logLevel: env.LOG_LEVEL,
    demoPassword: env.DEMO_PASSWORD,
    personalDataKeys: env.PERSONAL_DATA_KEY,
    fee: toFee(env),
  };
}

const scaleSchema = seedSchema.extend({
  CHASQUI_MODE: z.literal('sandbox', 'must be sandbox: made data belongs to the sandbox only'),
  DATABASE_OWNER_URL: postgresUrl.optional(),
  DATABASE_OWNER_PASSWORD: z.string().optional(),
});

/** Reads the variables of `npm run scale-data`. @throws ConfigurationError, also outside the sandbox. */
export function readScaleConfiguration(
  source: Variables = process.env,
): SeedConfiguration & { readonly ownerUrl: string } {
  const { DATABASE_OWNER_URL: url, DATABASE_OWNER_PASSWORD: password } = readVariables(scaleSchema, source);
  const configuration = readSeedConfiguration(source);
  return { ...configuration, ownerUrl: url === undefined ? configuration.databaseUrl : withPassword(url, password) };
}

const adminSchema = z.object({ ...generalVariables, ...databaseVariables });

/** Reads the variables of `npm run admin:create`. @throws ConfigurationError */
export function readAdminConfiguration(source: Variables = process.env): { readonly databaseUrl: string } {
  return { databaseUrl: toConnections(readVariables(adminSchema, source)).databaseUrl };
}

const personalDataSchema = z.object({
  ...generalVariables,
  ...databaseVariables,
  ...personalDataVariables,
  DATABASE_OWNER_URL: postgresUrl.optional(),
  DATABASE_OWNER_PASSWORD: z.string().optional(),
});

/** Reads the variables of `npm run personal-data:rotate`. @throws ConfigurationError */
export function readPersonalDataConfiguration(source: Variables = process.env): {
  /** As the owner of the tables, who alone changes data keys; without one as the role of api and worker. */
  readonly ownerUrl: string;
  readonly personalDataKeys: readonly Buffer[];
} {
  const env = readVariables(personalDataSchema, source);
  const { DATABASE_OWNER_URL: url, DATABASE_OWNER_PASSWORD: password } = env;
  const { databaseUrl } = toConnections(env);
  return {
    ownerUrl: url === undefined ? databaseUrl : withPassword(url, password),
    personalDataKeys: env.PERSONAL_DATA_KEY,
  };
}
