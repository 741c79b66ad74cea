import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { reviewQuery, useDecideScreening } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { percentText } from '../../../lib/format/numbers.ts';
import { errorMessage } from '../../../lib/http.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { ToneBadge } from '../../../ui/tone-badge.tsx';
import { Section } from '../admin-drawer.tsx';
import { useMay } from '../permitted.tsx';
import { screeningLabel } from './review-labels.ts';

type ScreeningView = ReviewView['screening'];
type Hit = ScreeningView['hits'][number];

/** The status of the sanctions screening, and the decisions that a person can make about it. */
export function Screening({
  transferId,
  screening,
  readOnly,
  beforePayout = false,
}: {
  transferId: string;
  screening: ScreeningView;
  /** Without the buttons that answer a hit. */
  readOnly: boolean;
  /** The transfer is approved and charged: what waits for the check is its payout. */
  beforePayout?: boolean;
}) {
  const { tone, text } = screeningLabel(screening);
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
          <HitDecision
            key={`${hit.subject} ${hit.name} ${hit.source} ${hit.source_id}`}
            transferId={transferId}
            hit={hit}
            readOnly={readOnly}
            same={beforePayout ? t`Es la misma: no se le puede pagar` : t`Es la misma: no se puede aprobar`}
          />
        ))}
        {isCheckedByPeople(screening.status) && !readOnly && (
          <CheckedByPerson transferId={transferId} canRepeat={screening.status === 'unavailable'} />
        )}
      </Stack>
    </Section>
  );
}

/** The same before a payout to somebody whom the approval was not about; `hint` says what waits for it. */
export function PayoutScreening({
  transaction: { id, user_id: senderId },
  hint,
}: {
  transaction: Pick<AdminTransferView, 'id' | 'user_id'>;
  hint: string;
}) {
  const may = useMay();
  const query = useQuery({ ...reviewQuery(id), enabled: may('review') });
  const adminId = useSession().data?.user.id;
  if (!may('review')) return null;
  return (
    <QueryView query={query} showsRefetchFailure loading={<LoadingRows rows={1} height={56} />}>
      {({ screening }) => (
        <div data-testid="payout-screening">
          <Screening
            transferId={id}
            screening={screening}
            readOnly={senderId === adminId || !may('decideScreening')}
            beforePayout
          />
          <Text fz="sm" c="dimmed" mt="xs">
            {hint}
          </Text>
        </div>
      )}
    </QueryView>
  );
}

function HitDecision(props: {
  transferId: string;
  hit: Hit;
  readOnly: boolean;
  /** What the button says that it is the listed person. */
  same: string;
}) {
  const { transferId, hit, readOnly, same } = props;
  const decide = useDecideScreening(transferId);
  const { subject, source, source_id, listed_name: listed, name, verdict } = hit;
  const percent = percentText(String(Math.round(hit.score * 100)));
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
      {verdict === null && !readOnly && (
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
                {same}
              </Button>
            </>
          )}
        </WithNote>
      )}
    </Stack>
  );
}

const isCheckedByPeople = (status: ScreeningView['status']) => status === 'unavailable' || status === 'unclear';

/** Repeating helps where the service did not answer, and not where the name is what is unclear. */
function CheckedByPerson({ transferId, canRepeat }: { transferId: string; canRepeat: boolean }) {
  const decide = useDecideScreening(transferId);
  return (
    <WithNote error={decide.error}>
      {(note, missing) => (
        <>
          {canRepeat && (
            <Button variant="default" loading={decide.isPending} onClick={() => decide.mutate({ verdict: 'again' })}>
              <Trans>Repetir el control</Trans>
            </Button>
          )}
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
