/** The sandbox's environment variables. The sandbox is a separate program and shares none with the product. */
import { z } from 'zod';

const schema = z.object({
  SANDBOX_PORT: z.coerce.number().int().min(0).max(65535).default(3001),
  /** Port of the SMTP server; by default the one after SANDBOX_PORT. */
  SANDBOX_SMTP_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Loopback only by default: the control routes have no password. Containers set 0.0.0.0. */
  SANDBOX_HOST: z.string().default('127.0.0.1'),
  /** Folder of the state file; absent keeps state in memory. */
  SANDBOX_DATA_DIR: z.string().optional(),
  SANDBOX_WEBHOOK_URL: z.url().optional(),
  SANDBOX_STRIPE_SECRET_KEY: z.string().startsWith('sk_test_').default('sk_test_sandbox'),
  SANDBOX_STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_test_').default('pk_test_sandbox'),
  SANDBOX_STRIPE_WEBHOOK_SECRET: z.string().min(1).default('whsec_sandbox'),
  SANDBOX_BANK_KEY: z.string().min(1).default('bank_sandbox'),
  /** Origins (comma-separated) whose pages may call with the publishable key; absent means any. */
  SANDBOX_WEB_ORIGIN: z.string().optional(),
  /** Address of this server as a browser sees it, for redirects to the 3-D Secure page. */
  SANDBOX_PUBLIC_URL: z.url().optional(),
  /**
   * Further Host name for programs in a container network; it reaches the simulated services, not the control routes.
   */
  SANDBOX_SERVICE_HOST: z.hostname().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Environment = z.infer<typeof schema>;

/** Reads the variables above; empty ones count as absent. Throws a ZodError naming every bad variable. */
export function readEnvironment(variables: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== '' && value !== undefined),
  );
  return schema.parse(given);
}
