import type { FormEvent } from 'react';

/**
 * A number as somebody may paste it or an autofill may write it, with the decimal comma our fields show: of a point and a
 * comma the last one is the decimal sign, a lone point is it before one or two digits ("9.99", but "1.250" is thousands).
 */
export function withDecimalComma(text: string): string {
  const [point, comma] = [text.lastIndexOf('.'), text.lastIndexOf(',')];
  if (point < 0) return text;
  if (comma > point) return text.replaceAll('.', '');
  if (comma >= 0) return text.replaceAll(',', '').replace('.', ',');
  return text.replace(/^(\D*\d*)\.(\d{1,2}\D*)$/, '$1,$2');
}

/**
 * For a number field's `onChangeCapture`: it understands a decimal point while it is typed, but drops it from a text that
 * arrives at once, and 9.99 would become 999.
 */
export function acceptDecimalPoint(event: FormEvent<HTMLInputElement>): void {
  const input = event.currentTarget;
  const accepted = withDecimalComma(input.value);
  if (accepted !== input.value) input.value = accepted;
}
