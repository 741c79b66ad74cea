import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Card, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { parseMinor, sendCurrencies } from '#core/money/money';
import { banks, wallets } from '#core/recipients/banks';
import { transferStatusNames } from '#core/transfers/states';
import type { AdminTransferFilter } from '../../../data/admin-panel.ts';
import { amountRule, DecimalInput } from '../../../ui/decimal-input.tsx';
import { adminStatusLabel } from './transfer-labels.ts';

const fields = ['status', 'from', 'to', 'currency', 'least', 'most', 'bank'] as const;
type Entry = Readonly<Record<(typeof fields)[number], string>>;

/** Day, amount, currency, bank and status of the transfers that are wanted. */
export function FilterForm({
  narrowing,
  apply,
}: {
  narrowing: AdminTransferFilter;
  apply: (filter: AdminTransferFilter) => void;
}) {
  const [entry, setEntry] = useState(
    () => Object.fromEntries(fields.map((name) => [name, narrowing[name] ?? ''])) as Entry,
  );
  const [asked, setAsked] = useState(false);
  const problems = asked ? problemsOf(entry) : {};
  const set = (name: keyof Entry) => (value: string) => setEntry({ ...entry, [name]: value });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (Object.keys(problemsOf(entry)).length > 0) return;
    apply(Object.fromEntries(fields.map((name) => [name, entry[name] || undefined])));
  };
  const field = (name: keyof Entry, label: string) => ({
    label,
    value: entry[name],
    error: problems[name],
    'data-testid': `admin-filter-${name}`,
  });
  const select = (name: keyof Entry, label: string, choices: { value: string; label: string }[]) => (
    <NativeSelect
      {...field(name, label)}
      data={choices}
      onChange={({ currentTarget }) => set(name)(currentTarget.value)}
    />
  );
  const dayOf = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      {...field(name, label)}
      min="2000-01-01"
      max="2099-12-31"
      onChange={({ currentTarget }) => set(name)(currentTarget.value)}
    />
  );
  const amountOf = (name: 'least' | 'most', label: string) => (
    <DecimalInput {...field(name, label)} rule={amountRule} onChange={set(name)} testid={`admin-filter-${name}`} />
  );
  const any = { value: '', label: t`Cualquiera` };
  return (
    <Card padding="md" component="form" onSubmit={submit} noValidate data-testid="admin-filter-form">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="sm" style={{ alignItems: 'end' }}>
        {select('status', t`Estado`, [
          any,
          ...transferStatusNames.map((status) => ({ value: status, label: adminStatusLabel(status) })),
        ])}
        {dayOf('from', t`Desde el día`)}
        {dayOf('to', t`Hasta el día`)}
        {select('currency', t`Moneda`, [any, ...sendCurrencies.map((value) => ({ value, label: value }))])}
        {amountOf('least', t`Paga desde`)}
        {amountOf('most', t`Paga hasta`)}
        {select('bank', t`Banco`, [any, ...[...banks, ...wallets].map((value) => ({ value, label: value }))])}
        <Button type="submit" data-testid="admin-filter-apply">
          <Trans>Aplicar</Trans>
        </Button>
      </SimpleGrid>
    </Card>
  );
}

function problemsOf({ from, to, least, most }: Entry): Partial<Record<keyof Entry, string>> {
  const [lowest, highest] = [least, most].map((amount) => parseMinor(amount));
  return {
    ...(from && to && to < from && { to: t`El último día no puede estar antes del primero` }),
    ...(lowest && highest && highest < lowest && { most: t`El monto mayor no puede ser menos que el menor` }),
  };
}
