import { TextInput, type TextInputProps } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { formatDecimal } from '../lib/format/numbers.ts';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'ref'> {
  /** Plain decimal text ("99.5"), empty while nothing is entered; it never becomes a float. */
  value: string;
  onChange: (value: string) => void;
  rule: DecimalRule;
  inputRef?: RefObject<HTMLInputElement | null>;
  testid: string;
}

/** A field for a decimal number: takes it as people write it, and shows it with the language's decimal sign once they go on. */
export function DecimalInput({ value, onChange, rule, inputRef, onBlur, testid, ...field }: Props) {
  const [typed, setTyped] = useState('');
  // What was typed stays as it is, until the value changes from elsewhere.
  const shown = typed !== '' && readDecimal(typed, rule) === value ? typed : formatDecimal(value);
  return (
    <TextInput
      {...field}
      {...(inputRef && { ref: inputRef })}
      value={shown}
      onChange={({ currentTarget }) => {
        const next = readDecimal(currentTarget.value, rule);
        // What is no number never gets into the field. React puts the value back, and the caret would go to its end.
        if (next === null) return keepCaret(currentTarget, shown);
        setTyped(currentTarget.value);
        if (next !== value) onChange(next);
      }}
      onBlur={(event) => {
        setTyped('');
        onBlur?.(event);
      }}
      inputMode="decimal"
      autoComplete="off"
      data-testid={testid}
    />
  );
}

/** Puts the caret where it was before a character that is not taken, once the text of before is there again. */
function keepCaret(input: HTMLInputElement, before: string): void {
  const at = Math.max(0, (input.selectionStart ?? 0) - (input.value.length - before.length));
  queueMicrotask(() => input.setSelectionRange(at, at));
}

/** The amount of a transfer or order, in large figures. */
export function AmountInput(props: {
  label: string;
  /** Plain decimal text. */
  value: string;
  onChange: (amount: string) => void;
  error: string | null;
  /** Smallest amount in whole units; a smaller one becomes it when the field is left. */
  min?: number;
  inputRef?: RefObject<HTMLInputElement | null>;
  testid: string;
}) {
  const { min = 0, ...field } = props;
  return (
    <DecimalInput
      {...field}
      rule={amountRule}
      onBlur={() => {
        if (props.value !== '' && Number(props.value) < min) props.onChange(String(min));
      }}
      classNames={{ input: 'cq-big cq-num' }}
      styles={{ input: { height: 60, fontSize: '2rem' } }}
    />
  );
}

/**
 * How many digits a field takes. In an amount one sign before three digits groups thousands ("1.000", "1,000"); in a rate, which
 * is always small, one sign is the decimal one ("11.555").
 */
interface DecimalRule {
  readonly kind: 'amount' | 'rate';
  readonly wholeDigits: number;
  readonly decimals: number;
}

/** Up to 999,999.99: more than anybody may send. */
export const amountRule: DecimalRule = { kind: 'amount', wholeDigits: 6, decimals: 2 };

/** What may stand around a figure that was copied. */
const aroundFigure = /^\s*(?:Bs\.?|US\$|USD|EUR|[$€])?\s*|\s*(?:Bs\.?|USD|EUR|[$€])?\s*$/gi;

/**
 * A number as people type or paste it, with either sign for decimals and thousands, as plain decimal text ("2500.50"); empty when
 * there is no digit yet, null when it is no number of this rule.
 */
export function readDecimal(text: string, { kind, wholeDigits, decimals }: DecimalRule): string | null {
  const figure = text.replace(aroundFigure, '').replace(/(?<=\d)[\s'’](?=\d{3})/g, '');
  if (!/^[\d.,]*$/.test(figure)) return null;
  const at = decimalSignAt(figure, kind);
  const integer = at === null ? figure : figure.slice(0, at);
  if (!/^(\d*|\d{1,3}([.,]\d{3})+)$/.test(integer)) return null;
  const whole = integer.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  const fraction = at === null ? '' : figure.slice(at + 1);
  if (/[.,]/.test(fraction) || fraction.length > decimals || whole.length > wholeDigits) return null;
  if (whole === '' && fraction === '') return '';
  return `${whole || '0'}${fraction && `.${fraction}`}`;
}

/** Where the decimal sign stands, or null where every sign groups thousands. */
function decimalSignAt(figure: string, kind: DecimalRule['kind']): number | null {
  const last = Math.max(figure.lastIndexOf('.'), figure.lastIndexOf(','));
  if (last < 0) return null;
  const signs = figure.replace(/\d/g, '');
  if (new Set(signs).size > 1 || kind === 'rate') return last;
  const grouped =
    signs.length > 1 || (/^\d{3}$/.test(figure.slice(last + 1)) && /^[1-9]\d{0,2}$/.test(figure.slice(0, last)));
  return grouped ? null : last;
}
