import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text, Title, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconArrowBackUp, IconChevronRight, IconClock } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { TransferView } from '#core/contracts/http/transfers';
import { underWayQuery } from '../../data/transfers.ts';
import { rowsOf } from '../../data/versioned-collection.ts';
import { formatBolivianos } from '../../lib/format/money.ts';
import { localStore, underWayEntry } from '../../lib/storage.ts';
import { useIsPhone, useNow } from '../../ui/hooks.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { arriving } from '../shared/arriving.ts';
import classes from '../shared/under-way.module.css';
import { type NextStep, nextStep } from './next-step.ts';
import { nameOf, notReturned } from './transfer-labels.ts';

/** Rows that are shown before somebody asks for all. */
const firstOnPhone = 2;
const firstOnWide = 4;

/** 'En camino': the sender's transfers that are paid and have not ended, live, what waits for the sender first. Nothing while there are none. */
export function UnderWay({ onOpen }: { onOpen: (id: string) => void }) {
  const first = useIsPhone() ? firstOnPhone : firstOnWide;
  const query = useInfiniteQuery(underWayQuery);
  const now = useNow();
  const [showsAll, setShowsAll] = useState(false);
  const rows = query.data && rowsNow(rowsOf(query.data), now);
  const count = rows?.length;
  useEffect(() => {
    if (count !== undefined) localStore.setItem(underWayEntry, String(count));
  }, [count]);
  const expected = count ?? Number(localStore.getItem(underWayEntry));
  if (expected === 0 && !query.error) return null;
  if (count === 0) return null;
  const hidden = (count ?? 0) - first;
  return (
    <section aria-labelledby="under-way-title" data-testid="under-way">
      <div className={classes.head}>
        <Title order={2} fz="md" id="under-way-title">
          <Trans>En camino</Trans>
        </Title>
        {hidden > 0 && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={showsAll}
            onClick={() => setShowsAll(!showsAll)}
            data-testid="under-way-all"
          >
            {showsAll ? t`Ver menos` : plural(hidden, { one: 'Ver # más', other: 'Ver # más' })}
          </Button>
        )}
      </div>
      <QueryView
        query={{ ...query, data: rows }}
        loading={<LoadingRows rows={Math.min(expected, first)} height={rowHeight} />}
      >
        {(known) => (
          <ul className={classes.rows}>
            {(showsAll ? known : known.slice(0, first)).map(({ transfer, step }) => (
              <li key={transfer.id}>
                <Row transfer={transfer} step={step} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

/** Of a row with its two lines, in px. */
const rowHeight = 54;

interface RowNow {
  readonly transfer: TransferView;
  readonly step: NextStep;
}

/** What waits for the sender first, each part in the order of the list. */
function rowsNow(transfers: readonly TransferView[], now: number): RowNow[] {
  const rows = transfers.flatMap((transfer) => {
    const step = nextStep(transfer, now);
    return step ? { transfer, step } : [];
  });
  return [...rows.filter(({ step }) => step.isYours), ...rows.filter(({ step }) => !step.isYours)];
}

function Row({ transfer, step, onOpen }: RowNow & { onOpen: (id: string) => void }) {
  const { title, when, isYours } = step;
  const isReturning = transfer.state === 'refunding';
  const Icon = isYours ? IconAlertCircle : isReturning ? IconArrowBackUp : IconClock;
  const amount = isReturning ? notReturned(transfer) : formatBolivianos(arriving(transfer));
  const name = nameOf(transfer);
  return (
    <UnstyledButton
      className={classes.row}
      data-yours={isYours || undefined}
      onClick={() => onOpen(transfer.id)}
      data-testid="under-way-row"
      data-transfer-id={transfer.id}
      data-state={transfer.state}
    >
      <Icon size={20} aria-hidden className={classes.icon} />
      <span className={classes.texts}>
        <span className={classes.what}>
          <Text component="span" fw={700} className="cq-num">
            {amount}
          </Text>{' '}
          <Text component="span" truncate>
            {name}
          </Text>
        </span>
        <Text component="span" display="block" fz="xs" lh={1.35} c={isYours ? undefined : 'dimmed'}>
          <b className={classes.step}>{title}</b>
          {when && ` · ${when}`}
        </Text>
      </span>
      <IconChevronRight size={18} aria-hidden className={classes.chevron} />
    </UnstyledButton>
  );
}
