import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { AccountView } from '#core/contracts/http/account';
import { occupations, personDetails } from '#core/contracts/http/auth';
import { accountQuery, useUpdateAccount } from '../../data/account.ts';
import { checkedBy, showFieldErrors } from '../../lib/form-failure.ts';
import { formatCalendarDay, formatDay } from '../../lib/format/dates.ts';
import { ApiFailure } from '../../lib/http.ts';
import { CheckedForm, Saved } from '../../ui/checked-form.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { type OccupationChoice, occupationChoices } from './occupations.ts';

/** As at sign-up, with an occupation that may stay unchosen. */
const schema = personDetails.extend({ occupation: z.union([z.literal(''), z.enum(occupations)]) });

/** What the person said of themselves at sign-up, to be changed. */
export default function Details() {
  const query = useQuery(accountQuery);
  return (
    <QueryView query={query} loading={<LoadingRows rows={4} height={48} />}>
      {(account) => <DetailsForm account={account} />}
    </QueryView>
  );
}

function DetailsForm({ account }: { account: AccountView }) {
  const save = useUpdateAccount();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: {
      name: account.name,
      phone: account.phone ?? '',
      city: account.city ?? '',
      occupation: account.occupation ?? ('' as OccupationChoice),
    },
    validate: checkedBy(schema),
    onValuesChange: () => save.reset(),
  });
  const submit = (sent: typeof form.values) => {
    const { occupation, ...values } = sent;
    save.mutate(
      { ...values, ...(occupation !== '' && { occupation }) },
      {
        onSuccess: () => {
          // Input typed while saving is not saved yet.
          if (Object.entries(form.getValues()).some(([name, value]) => sent[name as keyof typeof sent] !== value))
            save.reset();
        },
        onError: (error) => {
          if (error instanceof ApiFailure && error.code === 'name_in_use') form.setErrors({ name: error.userMessage });
          else showFieldErrors(form, error);
        },
      },
    );
  };
  const atField = save.error instanceof ApiFailure && ['name_in_use', 'invalid_input'].includes(save.error.code);
  const [opened, born] = [
    formatDay(account.createdAt),
    account.birthDate === null ? null : formatCalendarDay(account.birthDate),
  ];
  return (
    <CheckedForm form={form} send={submit}>
      <TextInput
        label={t`Nombre completo`}
        autoComplete="name"
        required
        key={form.key('name')}
        {...form.getInputProps('name')}
        data-testid="account-name"
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label={t`Teléfono (opcional)`}
          type="tel"
          autoComplete="tel"
          key={form.key('phone')}
          {...form.getInputProps('phone')}
          data-testid="account-phone"
        />
        <TextInput
          label={t`Ciudad actual (opcional)`}
          autoComplete="address-level2"
          key={form.key('city')}
          {...form.getInputProps('city')}
          data-testid="account-city"
        />
      </SimpleGrid>
      <NativeSelect
        label={t`Ocupación (opcional)`}
        data={occupationChoices()}
        key={form.key('occupation')}
        {...form.getInputProps('occupation')}
        data-testid="account-occupation"
      />
      <Text fz="sm" c="dimmed">
        {born && (
          <>
            <Trans>Fecha de nacimiento: {born}</Trans>
            <br />
          </>
        )}
        <Trans>Cuenta abierta el {opened}</Trans>
      </Text>
      <Button type="submit" disabled={save.isPending} data-testid="account-save">
        {save.isPending ? t`Guardando...` : t`Guardar cambios`}
      </Button>
      <Saved done={save.isSuccess ? t`Guardado` : null} error={atField ? null : save.error} />
    </CheckedForm>
  );
}
