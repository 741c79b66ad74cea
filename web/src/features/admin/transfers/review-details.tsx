import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconUserCheck } from '@tabler/icons-react';
import type { AdminTransferView } from '#core/contracts/http/admin';
import type { ReviewView } from '#core/contracts/http/review';
import { useClaim } from '../../../data/reviews.ts';
import { useSession } from '../../../data/session.ts';
import { errorMessage } from '../../../lib/http.ts';
import { QueryView, type QueryViewProps } from '../../../ui/query-view.tsx';
import { LoadingRows } from '../../../ui/states.tsx';
import { useMay } from '../permitted.tsx';
import { AskSender } from './ask-sender.tsx';
import { FirstApproval, Reasons, Similar } from './review-facts.tsx';
import { claimText } from './review-labels.ts';
import { Screening } from './screening.tsx';

/** What helps to decide about a transfer that waits for it: who has it, reasons, the check of names, similar transfers. */
export function ReviewDetails({
  transfer,
  review: query,
  now,
}: {
  transfer: AdminTransferView;
  review: QueryViewProps<ReviewView>['query'];
  now: number;
}) {
  const adminId = useSession().data?.user.id;
  const may = useMay();
  const isOwn = transfer.user_id === adminId;
  return (
    <QueryView query={query} showsRefetchFailure loading={<LoadingRows rows={3} height={56} />}>
      {(review) => (
        <>
          {!isOwn && may('claimReview') && <Claim review={review} adminId={adminId} now={now} />}
          <FirstApproval review={review} />
          <Reasons review={review} />
          <Screening transferId={review.id} screening={review.screening} readOnly={isOwn || !may('decideScreening')} />
          <AskSender transfer={transfer} own={isOwn || !may('askSender')} />
          <Similar review={review} />
        </>
      )}
    </QueryView>
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
