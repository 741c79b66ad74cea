import { t } from '@lingui/core/macro';
import { Group, Input, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';

/** What is typed into the three fields. */
interface Parts {
  readonly day: string;
  readonly month: string;
  readonly year: string;
}

const split = (date: string): Parts => {
  const [year = '', month = '', day = ''] = date.split('-');
  return { day, month, year };
};

/** The date ("YYYY-MM-DD"), or an empty string until it is valid. */
function compose({ day, month, year }: Parts): string {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? date : '';
}

/** A whole date that was pasted, or filled in by the browser, with the year or the day first; null for anything else. */
function wholeDate(text: string): Parts | null {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  if (iso) return { year: iso[1] ?? '', month: iso[2] ?? '', day: iso[3] ?? '' };
  const dayFirst = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text);
  return dayFirst && { day: dayFirst[1] ?? '', month: dayFirst[2] ?? '', year: dayFirst[3] ?? '' };
}

/**
 * A date of birth in three fields: a browser's own date field follows the language of the browser, where 5/12 may be the 12th of May or
 * the 5th of December.
 */
export function ThreePartDate({
  value,
  onChange,
  label,
  description,
  error,
  testid,
}: {
  /** "YYYY-MM-DD", or empty. */
  value: string;
  onChange: (date: string) => void;
  label: string;
  description?: string;
  error: ReactNode;
  /** Of the field for the day; the others end in `-month` and `-year`. */
  testid: string;
}) {
  const [typed, setTyped] = useState<Parts>(split(''));
  const id = useId();
  // What was typed stays as it is, until the value changes from elsewhere.
  const parts = compose(typed) === value ? typed : split(value);
  const set = (name: keyof Parts, text: string) => {
    const trimmed = text.trim();
    const next = wholeDate(trimmed) ?? {
      ...parts,
      [name]: trimmed.replace(/\D/g, '').slice(0, name === 'year' ? 4 : 2),
    };
    setTyped(next);
    onChange(compose(next));
  };
  const field = (name: keyof Parts) => ({
    value: parts[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => set(name, currentTarget.value),
    inputMode: 'numeric' as const,
    autoComplete: `bday-${name}`,
    error: Boolean(error),
    'aria-required': true,
    'aria-describedby': `${id}-about`,
    'data-testid': name === 'day' ? testid : `${testid}-${name}`,
  });
  return (
    <fieldset aria-labelledby={`${id}-label`} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Input.Label size="md" labelElement="div" id={`${id}-label`} required>
        {label}
      </Input.Label>
      <div id={`${id}-about`}>
        {description && <Input.Description size="md">{description}</Input.Description>}
        {error && (
          <Input.Error size="md" mt={4}>
            {error}
          </Input.Error>
        )}
      </div>
      <Group gap="xs" wrap="nowrap" mt={4} align="flex-end">
        <TextInput label={t`Día`} w={76} {...field('day')} />
        <TextInput label={t`Mes`} w={76} {...field('month')} />
        <TextInput label={t`Año`} w={104} {...field('year')} />
      </Group>
    </fieldset>
  );
}
