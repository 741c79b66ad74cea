/** Lengths of time in milliseconds. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The zone in which the business counts days and admins read times. Bolivia has one zone and no summer time. */
export const laPazZone = 'America/La_Paz';

/** How far La Paz is behind UTC, all year round. */
const laPazBehindMs = 4 * hourMs;

/** The calendar day it is in La Paz, "YYYY-MM-DD". */
export function laPazDay(at: Date): string {
  return new Date(at.getTime() - laPazBehindMs).toISOString().slice(0, 10);
}

/** The hour it is in La Paz, 0 to 23. */
export function laPazHour(at: Date): number {
  return new Date(at.getTime() - laPazBehindMs).getUTCHours();
}

export const earliest = (...moments: readonly Date[]): Date => new Date(Math.min(...moments.map(Number)));

export const latest = (...moments: readonly Date[]): Date => new Date(Math.max(...moments.map(Number)));
