import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { IconMessageQuestion, IconUsers } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { laPazTime } from '../../../lib/format/dates.ts';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';
import { earnings, reasonText, severityTones } from './review-labels.ts';

// What a decision rests on, the same in the open transfer and in the question before an approval.

/** Who gave the first of two approvals, and when. */
export function FirstApproval({ review: { approval } }: { review: ReviewView }) {
  if (!approval) return null;
  const { by } = approval;
  const at = laPazTime(approval.at);
  return (
    <Alert
      color="yellow"
      icon={<IconUsers aria-hidden />}
      title={t`Falta la segunda aprobación`}
      data-testid="first-approval"
    >
      <Trans>
        {by} la aprobó el {at}. Ahora la tiene que aprobar otra persona.
      </Trans>
    </Alert>
  );
}

/** A question to the sender that has no answer yet, or whose answer should be read before the decision. */
export function OpenQuestion({ transfer: { questions } }: { transfer: AdminTransferView }) {
  if (!questions) return null;
  return (
    <Alert
      color={questions === 'waiting' ? 'yellow' : 'gray'}
      icon={<IconMessageQuestion aria-hidden />}
      title={questions === 'waiting' ? t`Espera una respuesta de quien envía` : t`Quien envía respondió`}
      data-testid="open-question"
    >
      {questions === 'waiting' ? (
        <Trans>Preguntamos algo y todavía no respondió.</Trans>
      ) : (
        <Trans>Lee su respuesta en los detalles antes de decidir.</Trans>
      )}
    </Alert>
  );
}

/** Ticks off serious reasons, named by their text. */
interface ReadReasons {
  readonly read: ReadonlySet<string>;
  readonly toggle: (text: string) => void;
  /** Props of the first one that is not ticked off yet. */
  readonly first: object;
}

/** The texts of the serious reasons of a review, which an approval has to tick off. */
export const seriousReasons = ({ reasons }: ReviewView): string[] =>
  reasons.filter(({ severity }) => severity === 'serious').map(reasonText);

/** Every reason to look twice, the most severe first. With `ticks`, serious ones have to be ticked off. */
export function Reasons({ review, ticks }: { review: ReviewView; ticks?: ReadReasons }) {
  const { reasons } = review;
  const first = ticks && seriousReasons(review).find((text) => !ticks.read.has(text));
  return (
    <Section title={t`Motivos para mirar dos veces`}>
      {reasons.length === 0 ? (
        <Text c="dimmed">
          <Trans>Ninguno.</Trans>
        </Text>
      ) : (
        <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }} data-testid="review-reasons">
          {reasons.map((reason) => {
            const text = reasonText(reason);
            const color = `var(--cq-${severityTones[reason.severity]})`;
            return (
              <Text key={text} component="li" c={color}>
                {ticks && reason.severity === 'serious' ? (
                  <Checkbox
                    label={text}
                    checked={ticks.read.has(text)}
                    onChange={() => ticks.toggle(text)}
                    styles={{ label: { fontSize: 'inherit' } }}
                    data-testid="reason-read"
                    {...(text === first && ticks.first)}
                  />
                ) : (
                  text
                )}
              </Text>
            );
          })}
        </Stack>
      )}
    </Section>
  );
}

/** Other transfers that share the account, the card, or sender and amount. */
export function Similar({ review: { similar } }: { review: ReviewView }) {
  if (similar.length === 0) return null;
  const shared = { account: t`misma cuenta`, card: t`misma tarjeta`, amount: t`mismo monto` };
  return (
    <Section title={t`Envíos parecidos`}>
      <Stack gap={8} component="ul" m={0} p={0} style={{ listStyle: 'none' }} data-testid="review-similar">
        {similar.map(({ id, date, user, recipient, amount, currency, same }) => (
          <li key={id}>
            <Text>
              {user} → {recipient}, <Money amount={amount} currency={currency} />
            </Text>
            <Text fz="sm" c="dimmed">
              {laPazTime(date)} · {same.map((one) => shared[one]).join(', ')}
            </Text>
          </li>
        ))}
      </Stack>
    </Section>
  );
}

/** What the approval earns after Stripe's fee; a loss in red. */
export function Earned({ transfer, review }: { transfer: AdminTransferView; review: ReviewView }) {
  const earned = earnings(transfer, review);
  if (!earned) return null;
  const { currency } = transfer;
  const { amount, loses, processorFee } = earned;
  return (
    <Text fz="sm" c={loses ? 'var(--cq-bad)' : 'dimmed'} fw={loses ? 700 : 400} data-testid="earned" data-loses={loses}>
      {loses ? (
        <Trans>
          Con este envío perdemos <Money amount={amount} currency={currency} />: Stripe cobra unos{' '}
          <Money amount={processorFee} currency={currency} />, más que la comisión y el margen juntos.
        </Trans>
      ) : (
        <Trans>
          Ganamos <Money amount={amount} currency={currency} />, descontados unos{' '}
          <Money amount={processorFee} currency={currency} /> que cobra Stripe.
        </Trans>
      )}
    </Text>
  );
}
