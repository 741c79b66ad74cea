import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconShieldCheck } from '@tabler/icons-react';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type SecondFactorView, secondFactorEndpoints } from '#core/contracts/http/second-factor';
import { accountKeys } from '../../data/sender-query-keys.ts';
import { askWhoIsSignedIn, useSession } from '../../data/session.ts';
import { accountCall } from '../../lib/account-http.ts';
import { checkedBy, focusFirstProblem } from '../../lib/form-failure.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { useSingleMutation } from '../../lib/single-mutation.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { codeProblem, FactorCodeField, isWrongCode } from '../shared/factor-code-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Saved } from './saved.tsx';
import { isWrongPassword, SecondFactorSetup } from './second-factor-setup.tsx';

const secondFactorQuery = queryOptions({
  queryKey: accountKeys.secondFactor,
  queryFn: ({ signal }) => accountCall('getSecondFactor', { signal }),
  staleTime: 0,
});

/** From how few recovery codes on it is time for new ones. */
const fewCodes = 3;

/** Two-step verification: turned on with an app, its recovery codes, turned off. */
export default function SecondFactor() {
  const query = useQuery(secondFactorQuery);
  const queryClient = useQueryClient();
  const { data: session } = useSession();
  const [doing, setDoing] = useState<'setup' | 'codes' | 'remove' | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const finish = (said: string | null) => {
    setDoing(null);
    setCodes(null);
    setDone(said);
    void queryClient.invalidateQueries({ queryKey: accountKeys.secondFactor });
    // Who needed it to go on may now.
    if (session?.mustSetUp) void askWhoIsSignedIn(queryClient);
  };
  const begin = (next: typeof doing) => {
    setDone(null);
    setDoing(next);
  };
  if (codes) return <RecoveryCodes codes={codes} onKept={() => finish(t`Listo: tu cuenta pide los dos pasos.`)} />;
  if (doing === 'setup') return <SecondFactorSetup onConfirmed={setCodes} onCancel={() => finish(null)} />;
  return (
    <QueryView query={query} loading={<LoadingRows rows={2} height={48} />}>
      {(factor) => (
        <Stack>
          {factor.since === null ? <Off /> : <On factor={factor} since={factor.since} />}
          {doing ? (
            <ConfirmForm
              doing={doing}
              onDone={(fresh) => (fresh ? setCodes(fresh) : finish(t`La verificación en dos pasos está desactivada.`))}
              onCancel={() => finish(null)}
            />
          ) : factor.since === null ? (
            <Button onClick={() => begin('setup')} data-testid="factor-setup">
              <Trans>Activar la verificación en dos pasos</Trans>
            </Button>
          ) : (
            <Group grow>
              <Button variant="default" onClick={() => begin('codes')} data-testid="factor-renew">
                <Trans>Crear códigos nuevos</Trans>
              </Button>
              <Button variant="default" onClick={() => begin('remove')} data-testid="factor-remove">
                <Trans>Desactivar</Trans>
              </Button>
            </Group>
          )}
          <Saved done={done} error={null} />
        </Stack>
      )}
    </QueryView>
  );
}

function Off() {
  return (
    <Text fz="sm" c="dimmed">
      <Trans>
        Además de tu contraseña, pedimos al entrar un código que cambia cada medio minuto en una aplicación de tu
        teléfono. Quien descubra tu contraseña no podrá entrar.
      </Trans>
    </Text>
  );
}

function On({ factor, since }: { factor: SecondFactorView; since: string }) {
  const when = formatMoment(since);
  const { recoveryCodesLeft: left } = factor;
  return (
    <Group wrap="nowrap" align="start" gap="sm" data-testid="factor-on">
      <IconShieldCheck size={24} stroke={1.7} aria-hidden style={{ flex: 'none', color: 'var(--cq-good)' }} />
      <div>
        <Text fw={600}>
          <Trans>Activada desde el {when}</Trans>
        </Text>
        <Text fz="sm" c={left < fewCodes ? 'var(--cq-bad)' : 'dimmed'} data-testid="factor-codes-left">
          <Plural
            value={left}
            _0="No te queda ningún código de recuperación: crea nuevos."
            one="Te queda un código de recuperación: crea nuevos."
            other="Te quedan # códigos de recuperación."
          />
        </Text>
      </div>
    </Group>
  );
}

const empty = { password: '', code: '' };

/** Password and a code, for new recovery codes or to turn it off. */
function ConfirmForm(props: {
  doing: 'codes' | 'remove';
  /** Gets the new recovery codes; null when it was turned off. */
  onDone: (codes: readonly string[] | null) => void;
  onCancel: () => void;
}) {
  const { doing, onDone, onCancel } = props;
  const passwordProblem = checkedBy(secondFactorEndpoints.startSecondFactor.body);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: empty,
    validate: ({ password, code }) => ({ ...passwordProblem({ password }), code: codeProblem(code) }),
  });
  const confirm = useSingleMutation({
    mutationFn: async (body: typeof empty) => {
      if (doing === 'codes') return (await accountCall('renewRecoveryCodes', { body })).recoveryCodes;
      await accountCall('removeSecondFactor', { body });
      return null;
    },
    onSuccess: onDone,
    onError: (error) => {
      if (isWrongPassword(error)) form.setErrors({ password: error.userMessage });
      if (isWrongCode(error)) form.setErrors({ code: error.userMessage });
    },
  });
  const atField = isWrongPassword(confirm.error) || isWrongCode(confirm.error);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => confirm.mutate(values),
        (_errors, _values, event) => focusFirstProblem(event),
      )}
    >
      <Stack>
        <Text>
          {doing === 'codes' ? (
            <Trans>Los códigos de recuperación que tienes dejan de valer.</Trans>
          ) : (
            <Trans>Para entrar bastará tu contraseña.</Trans>
          )}
        </Text>
        <PasswordField
          label={t`Tu contraseña, para confirmar`}
          autoComplete="current-password"
          autoFocus
          key={form.key('password')}
          {...form.getInputProps('password')}
          data-testid="factor-password"
        />
        <FactorCodeField recoverable key={form.key('code')} {...form.getInputProps('code')} />
        <Group grow>
          <Button variant="default" onClick={onCancel} data-testid="factor-cancel">
            <Trans>Cancelar</Trans>
          </Button>
          <Button
            type="submit"
            color={doing === 'remove' ? 'red' : undefined}
            disabled={confirm.isPending}
            data-testid="factor-change"
          >
            {doing === 'codes' ? t`Crear códigos` : t`Desactivar`}
          </Button>
        </Group>
        <Saved done={null} error={atField ? null : confirm.error} />
      </Stack>
    </form>
  );
}
