export interface Trend {
  /** "+12,5% vs ayer": the specification's caption with our decimal comma. */
  readonly text: string;
  readonly direction: 'up' | 'down' | 'flat';
}

/** Caption of a computed change in percent ("12.5", "-3.0"); null where there was nothing to compare with. */
export function trendOf(percent: string | null | undefined, against: 'ayer' | 'mes anterior'): Trend | null {
  if (percent == null || !/^-?\d+(\.\d+)?$/.test(percent)) return null;
  const change = Number(percent);
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'flat';
  return { text: `${direction === 'up' ? '+' : ''}${percent.replace('.', ',')}% vs ${against}`, direction };
}
