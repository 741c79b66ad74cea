/** Senders are at least this old (product specification, section 9). */
export const minimumAge = 18;

/** A birth date beyond this age is treated as a typo. */
export const maximumAge = 120;

/** Full years between a birth date ("YYYY-MM-DD") and a day, both read in UTC. */
export function ageOn(birthDate: string, day: Date): number {
  const [year, month, date] = birthDate.split('-').map(Number) as [number, number, number];
  const years = day.getUTCFullYear() - year;
  const hadBirthday = day.getUTCMonth() + 1 > month || (day.getUTCMonth() + 1 === month && day.getUTCDate() >= date);
  return hadBirthday ? years : years - 1;
}
