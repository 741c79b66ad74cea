import { z } from 'zod';

/** An advisory that is known and lives on until a day, because it cannot be reached in this product. */
export const advisoryException = z.strictObject({
  advisory: z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
  package: z.string(),
  /** Why it cannot be reached here. */
  reason: z.string().min(20),
  /** The day (YYYY-MM-DD) from which it fails again. */
  until: z.iso.date(),
});
export type AdvisoryException = z.infer<typeof advisoryException>;

/** The relevant part of `npm audit --json`; `via` lists advisories, or packages whose own entry has the advisory. */
const auditReport = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(
        z.union([z.string(), z.object({ url: z.string(), title: z.string(), severity: z.string(), name: z.string() })]),
      ),
    }),
  ),
});

/**
 * The advisories of severity high and critical that nothing excepts on this day, a line each; undefined when the registry gave no report: it
 * is away, or has no such service.
 */
export function findAdvisories(
  output: string,
  exceptions: readonly AdvisoryException[],
  today: string,
): string[] | undefined {
  const report = auditReport.safeParse(parsed(output));
  if (!report.success) return undefined;
  const open = new Set(
    exceptions.filter(({ until }) => today < until).map(({ advisory, package: name }) => `${advisory} ${name}`),
  );
  const advisories = Object.values(report.data.vulnerabilities).flatMap(({ via }) =>
    via.filter((one) => typeof one !== 'string'),
  );
  const lines = advisories
    .filter(({ severity, url, name }) => {
      return ['high', 'critical'].includes(severity) && !open.has(`${url.split('/').at(-1)} ${name}`);
    })
    .map(({ severity, name, title, url }) => `${severity}: ${name}: ${title} (${url})`);
  return [...new Set(lines)];
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}
