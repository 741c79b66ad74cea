/*
 * Legal deadlines, computed independently of the product. Days are "2026-12-01"; a deadline is 17:00 of its day in its
 * jurisdiction.
 */

/** A jurisdiction: its offset from UTC, and its holidays besides weekends, until spring. */
interface Place {
  readonly offset: (day: string) => string;
  readonly closedOn: readonly string[];
}
const places = {
  /** New York; federal holidays. */
  united_states: {
    offset: (day) => (day < '2027-03-14' ? '-05:00' : '-04:00'),
    closedOn: ['2026-12-25', '2027-01-01', '2027-01-18', '2027-02-15'],
  },
  /** Madrid; days on which TARGET is closed. */
  europe: {
    offset: (day) => (day < '2027-03-28' ? '+01:00' : '+02:00'),
    closedOn: ['2026-12-25', '2027-01-01', '2027-03-26', '2027-03-29'],
  },
} as const satisfies Record<string, Place>;
export type PlaceName = keyof typeof places;

const addDay = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
const endOf = (day: string, place: PlaceName) => new Date(`${day}T17:00:00${places[place].offset(day)}`);

/** The deadline `count` working days after a day. */
export function afterWorkingDays(day: string, count: number, place: PlaceName): Date {
  const closedOn: readonly string[] = places[place].closedOn;
  let found = day;
  for (let left = count; left > 0; ) {
    found = addDay(found, 1);
    const weekday = new Date(found).getUTCDay();
    if (weekday !== 0 && weekday !== 6 && !closedOn.includes(found)) left -= 1;
  }
  return endOf(found, place);
}

/** The deadline `count` days after a day. */
export function afterDays(day: string, count: number, place: PlaceName): Date {
  return endOf(addDay(day, count), place);
}
