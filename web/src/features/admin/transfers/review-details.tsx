import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { reviewQuery, useClaim } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { Money } from '../../../ui/figures.tsx';
import { Section } from '../admin-drawer.tsx';
import { useMay } from '../permitted.tsx';
import { AskSender } from './ask-sender.tsx';
import { claimText, reasonText, severityTones } from './review-labels.ts';
import { Screening } from './screening.tsx';

/** What helps to decide about a transfer that waits for it: who has it, reasons, the check of names, similar transfers. */
export function ReviewDetails({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const { data: review } = useQuery(reviewQuery(transfer.id));
  const adminId = useSession().data?.user.id;
  const may = useMay();
  if (!review) return null;
  return (
    <>
      {transfer.user_id !== adminId && may('claimReview') && <Claim review={review} adminId={adminId} now={now} />}
      {review.approval && <FirstApproval review={review} />}
      <Section title={t`Motivos para mirar dos veces`}>
        {review.reasons.length === 0 ? (
          <Text c="dimmed">
            <Trans>Ninguno.</Trans>
          </Text>
        ) : (
          <Stack gap={6} component="ul" m={0} p={0} style={{ listStyle: 'none' }} data-testid="review-reasons">
            {review.reasons.map((reason) => (
              <Text key={reasonText(reason)} component="li" c={`var(--cq-${severityTones[reason.severity]})`}>
                {reasonText(reason)}
              </Text>
            ))}
          </Stack>
        )}
      </Section>
      <Screening
        transferId={review.id}
        screening={review.screening}
        own={transfer.user_id === adminId || !may('decideScreening')}
      />
      <AskSender transfer={transfer} own={transfer.user_id === adminId || !may('askSender')} />
      <Similar review={review} />
    </>
  );
}

function Claim({ review, adminId, now }: { review: ReviewView; adminId: string | undefined; now: number }) {
  const claim = useClaim(review.id);
  useKeepClaim(review, adminId);
  const text = claimText(review, adminId, now);
  const mine = text !== null && review.claim?.by_id === adminId;
  return (
    <Group gap="sm">
      <Button
        variant="default"
        size="md"
        leftSection={<IconUserCheck size={18} aria-hidden />}
        disabled={text !== null && !mine}
        loading={claim.isPending}
        onClick={() => claim.mutate(!mine)}
        data-testid="review-claim"
      >
        {mine ? t`Dejarla` : t`Tomarla para decidir`}
      </Button>
      <Text role="status" c="dimmed">
        {text}
        {mine && (
          <>
            {'. '}
            <Trans>Se alarga mientras trabajas en ella.</Trans>
          </>
        )}
      </Text>
      {claim.error && (
        <Alert role="alert" color="red">
          {errorMessage(claim.error)}
        </Alert>
      )}
    </Group>
  );
}

function FirstApproval({ review: { approval } }: { review: ReviewView }) {
  if (!approval) return null;
  const { by } = approval;
  const at = laPazTime(approval.at);
  return (
    <Alert color="yellow" title={t`Falta la segunda aprobación`}>
      <Trans>
        {by} la aprobó el {at}. Por su monto la tiene que aprobar otra persona.
      </Trans>
    </Alert>
  );
}

function Similar({ review: { similar } }: { review: ReviewView }) {
  if (similar.length === 0) return null;
  const shared = { account: t`misma cuenta`, card: t`misma tarjeta`, amount: t`mismo monto` };
  return (
    <Section title={t`Envíos parecidos`}>
      <Stack gap={8} component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
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

/** With less than this left, in ms, work on a transfer takes it for longer: at most one call in two minutes. */
const extendFromMs = 8 * 60_000;

/** Takes a transfer that the admin has for longer, as long as they press keys or the pointer while it is open. */
function useKeepClaim({ id, claim }: Pick<ReviewView, 'id' | 'claim'>, adminId: string | undefined): void {
  const extend = useClaim(id);
  const keep = () => {
    const leftMs = claim && claim.by_id === adminId ? Date.parse(claim.until) - Date.now() : 0;
    if (leftMs > 0 && leftMs < extendFromMs) extend.mutate(true);
  };
  useWindowEvent('keydown', keep);
  useWindowEvent('pointerdown', keep);
}
