/** A decimal of the wire as written in Bolivia: "11.55" becomes "11,55". */
export const decimalComma = (decimal: string): string => decimal.replace('.', ',');

/**
 * A percentage of the wire as written in Bolivia: "1,25 %", below zero "−0,40 %". `signed` puts a plus before what is above
 * zero, and no sign before zero: "+3,4 %", "0,0 %".
 */
export function percentText(percent: string, signs: 'plain' | 'signed' = 'plain'): string {
  const digits = percent.replace(/^[-+]/, '');
  const isZero = signs === 'signed' && /^[0.]*$/.test(digits);
  const sign = isZero ? '' : percent.startsWith('-') ? '−' : signs === 'signed' ? '+' : '';
  return `${sign}${decimalComma(digits)} %`;
}
