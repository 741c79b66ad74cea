import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { reviewQuery, useClaim, useDecideScreening } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { laPazTime } from '../../../lib/format/dates.ts';
import { errorMessage } from '../../../lib/http.ts';
import { Money } from '../../../ui/figures.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';
import { AskSender } from './ask-sender.tsx';
import { claimText, reasonText, screeningLabel, severityTones } from './review-labels.ts';
import { useKeepClaim } from './use-keep-claim.ts';

/** What helps to decide about a transfer that waits for it: who has it, reasons, the check of names, similar transfers. */
export function ReviewDetails({ transfer, now }: { transfer: AdminTransferView; now: number }) {
  const { data: review } = useQuery(reviewQuery(transfer.id));
  const adminId = useSession().data?.user.id;
  if (!review) return null;
  return (
    <>
      {transfer.user_id !== adminId && <Claim review={review} adminId={adminId} now={now} />}
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
      <Screening review={review} own={transfer.user_id === adminId} />
      <AskSender transfer={transfer} own={transfer.user_id === adminId} />
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

type Hit = ReviewView['screening']['hits'][number];

function Screening({ review, own }: { review: ReviewView; own: boolean }) {
  const { screening } = review;
  const { tone, text } = screeningLabel(screening.status);
  const { note, noted_by: notedBy } = screening;
  return (
    <Section title={t`Listas de sanciones`}>
      <Stack gap="sm">
        <div>
          <ToneBadge tone={tone} role="status">
            {text}
          </ToneBadge>
        </div>
        {note !== null && (
          <Text fz="sm" c="dimmed">
            {notedBy}: {note}
          </Text>
        )}
        {screening.hits.map((hit) => (
          <HitDecision key={`${hit.subject} ${hit.source} ${hit.source_id}`} review={review} hit={hit} own={own} />
        ))}
        {screening.status === 'unavailable' && !own && <Unanswered review={review} />}
      </Stack>
    </Section>
  );
}

function HitDecision({ review, hit, own }: { review: ReviewView; hit: Hit; own: boolean }) {
  const decide = useDecideScreening(review.id);
  const { subject, source, source_id, listed_name: listed, name, verdict } = hit;
  const percent = `${Math.round(hit.score * 100)} %`;
  const list = [`${source.toUpperCase().replace('_', ' ')} ${source_id}`, ...hit.programs].join(', ');
  const say = (verdict: 'false_positive' | 'true_hit', note: string) =>
    decide.mutate({ verdict, subject, source, source_id, note });
  return (
    <Stack gap={4} data-testid="screening-hit">
      <Text>
        <Trans>
          <b>{name}</b> se parece en {percent} a <b>{listed}</b>
        </Trans>
      </Text>
      <Text fz="sm" c="dimmed">
        {list}
      </Text>
      {verdict === 'false_positive' && (
        <Text fz="sm">{hit.remembered ? t`Ya se comprobó antes: es otra persona.` : t`Es otra persona.`}</Text>
      )}
      {verdict === 'true_hit' && (
        <Text fz="sm" c="var(--cq-bad)" fw={600}>
          <Trans>Es la misma persona.</Trans>
        </Text>
      )}
      {verdict === null && !own && (
        <WithNote error={decide.error}>
          {(note, missing) => (
            <>
              <Button
                variant="default"
                loading={decide.isPending}
                onClick={() => (note ? say('false_positive', note) : missing())}
                data-testid="screening-other"
              >
                <Trans>Es otra persona</Trans>
              </Button>
              <Button
                variant="default"
                c="var(--cq-bad)"
                loading={decide.isPending}
                onClick={() => (note ? say('true_hit', note) : missing())}
                data-testid="screening-same"
              >
                <Trans>Es la misma: no se puede aprobar</Trans>
              </Button>
            </>
          )}
        </WithNote>
      )}
    </Stack>
  );
}

function Unanswered({ review }: { review: ReviewView }) {
  const decide = useDecideScreening(review.id);
  return (
    <WithNote error={decide.error}>
      {(note, missing) => (
        <>
          <Button variant="default" loading={decide.isPending} onClick={() => decide.mutate({ verdict: 'again' })}>
            <Trans>Repetir el control</Trans>
          </Button>
          <Button
            variant="default"
            loading={decide.isPending}
            onClick={() => (note ? decide.mutate({ verdict: 'checked', note }) : missing())}
          >
            <Trans>Lo comprobé por otro medio</Trans>
          </Button>
        </>
      )}
    </WithNote>
  );
}

/** A note, which what is said of a check needs, and the buttons that send it. */
function WithNote({
  error,
  children,
}: {
  error: Error | null;
  children: (note: string, missing: () => void) => React.ReactNode;
}) {
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const id = useId();
  return (
    <Stack gap="xs">
      <Textarea
        id={id}
        label={t`Por qué`}
        value={note}
        onChange={(event) => {
          setNote(event.currentTarget.value);
          setMissing(false);
        }}
        error={isMissing && t`Escribe la nota`}
        maxLength={500}
        autosize
        minRows={2}
      />
      <Group gap="xs">
        {children(note.trim(), () => {
          setMissing(true);
          document.getElementById(id)?.focus();
        })}
      </Group>
      {error && (
        <Alert role="alert" color="red">
          {errorMessage(error)}
        </Alert>
      )}
    </Stack>
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
