/** The zone every time on the admin's screens is in, as it is written beside them. */
export const zoneName = 'hora de La Paz';

const parts = new Intl.DateTimeFormat('es-BO', {
  timeZone: 'America/La_Paz',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "21 nov 2026" and "14:05" in La Paz, from an ISO time. */
export function laPazParts(iso: string): { day: string; time: string } {
  const found = new Map(parts.formatToParts(new Date(iso)).map((part) => [part.type, part.value]));
  const month = (found.get('month') ?? '').replace('.', '');
  return {
    day: `${found.get('day')} ${month} ${found.get('year')}`,
    time: `${found.get('hour')}:${found.get('minute')}`,
  };
}

/** "21 nov 2026, 14:05" in La Paz. Write the zone once nearby (a column's head), or use `laPazTime`. */
export function laPazShort(iso: string): string {
  const { day, time } = laPazParts(iso);
  return `${day}, ${time}`;
}

/** "21 nov 2026, 14:05 (hora de La Paz)" from an ISO time. */
export function laPazTime(iso: string): string {
  return `${laPazShort(iso)} (${zoneName})`;
}
