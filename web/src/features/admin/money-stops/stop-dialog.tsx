import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Radio, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { MoneyStopView } from '#core/contracts/http/money-stops';
import { payoutRails, type StopReach } from '#core/money-stops/money-stop';
import { useSetStop } from '../../../data/money-stops.ts';
import { errorMessage } from '../../../lib/http.ts';
import { toastDone } from '../../../lib/toast.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { DialogTitle } from '../admin-drawer.tsx';
import { StopEffect } from './stop-effect.tsx';
import { stopTitle } from './stop-texts.ts';

const reasonMax = 500;

const choices: readonly StopReach[] = [
  { scope: 'captures', rail: null },
  ...payoutRails.map((rail) => ({ scope: 'payouts', rail }) as const),
  { scope: 'everything', rail: null },
];

const labels = {
  captures: msg`Los cobros de tarjetas`,
  bank: msg`Los pagos por banco`,
  everything: msg`Los cobros y los pagos`,
} as const;
const verbs = {
  captures: msg`Parar los cobros`,
  payouts: msg`Parar los pagos`,
  everything: msg`Parar todo`,
} as const;

const nameOf = ({ scope, rail }: StopReach) => (scope === 'payouts' ? (rail ?? 'bank') : scope);

/** Asks which money to stop and why, and says what that halts and what goes on before it is done. */
export function StopDialog({ stops, close }: { stops: readonly MoneyStopView[]; close: () => void }) {
  const set = useSetStop();
  const [opened, setOpened] = useState(true);
  const [name, setName] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [isSubmitted, setIsSubmitted] = useState(false);
  const chosen = choices.find((choice) => nameOf(choice) === name);
  const isActive = (reach: StopReach) => stops.some(({ scope, rail }) => scope === reach.scope && rail === reach.rail);
  const leave = () => !set.isPending && setOpened(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (!chosen || reason.trim() === '') return;
    set.mutate(
      { ...chosen, reason: reason.trim() },
      {
        onSuccess: () => {
          toastDone(
            stopTitle(chosen),
            t`Lo ve toda la administración, y avisamos por correo a quienes pueden levantarlo.`,
          );
          setOpened(false);
        },
      },
    );
  };
  return (
    <Dialog
      opened={opened}
      onClose={leave}
      onExitTransitionEnd={close}
      title={<DialogTitle>{t`Parar dinero`}</DialogTitle>}
      size="md"
      data-testid="money-stop-dialog"
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Radio.Group
            label={t`Qué se para`}
            value={name}
            onChange={setName}
            error={isSubmitted && !chosen && t`Elige qué se para`}
          >
            <Stack gap="sm" mt="xs" mb={4}>
              {choices.map((choice) => (
                <Radio
                  key={nameOf(choice)}
                  value={nameOf(choice)}
                  label={i18n._(labels[nameOf(choice)])}
                  description={isActive(choice) && t`Ya está parado`}
                  disabled={isActive(choice) || set.isPending}
                  data-testid={`money-stop-${nameOf(choice)}`}
                />
              ))}
            </Stack>
          </Radio.Group>
          <div aria-live="polite">
            {chosen && (
              <Stack gap="xs">
                <StopEffect scope={chosen.scope} />
                <Text fz="sm">
                  <Trans>
                    Lo que ya se envió a Stripe o al banco no se detiene. Para levantar la parada hacen falta dos
                    personas.
                  </Trans>
                </Text>
              </Stack>
            )}
          </div>
          <Textarea
            label={t`Motivo`}
            description={t`Lo ven las demás personas de administración; quien envía, no.`}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            maxLength={reasonMax}
            autosize
            minRows={2}
            error={isSubmitted && reason.trim() === '' && t`Escribe el motivo: queda registrado`}
            disabled={set.isPending}
            data-testid="money-stop-reason"
          />
          {set.error && (
            <Text c="red" role="alert" data-testid="money-stop-refused">
              {errorMessage(set.error)}
            </Text>
          )}
          <div className="cq-dialog-actions">
            <Button variant="default" onClick={leave} disabled={set.isPending}>
              <Trans>Volver</Trans>
            </Button>
            <Button type="submit" color="red" loading={set.isPending} data-testid="money-stop-confirm">
              {i18n._(chosen ? verbs[chosen.scope] : msg`Parar`)}
            </Button>
          </div>
        </Stack>
      </form>
    </Dialog>
  );
}
