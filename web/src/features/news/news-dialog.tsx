import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Text, UnstyledButton } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { type NewsItem, newsQuery, useReadNews } from '../../data/news.ts';
import { formatMoment } from '../../lib/format/dates.ts';
import { SideDialog } from '../../ui/dialog.tsx';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { EmptyState, LoadingRows } from '../../ui/states.tsx';
import classes from './news.module.css';
import { newsText } from './news-texts.ts';

/** All news, the newest first. What is shown is read; until it closes it stays marked as new. */
export function NewsDialog({ onClose }: { onClose: () => void }) {
  return (
    <SideDialog opened onClose={onClose} position="right" size="sm" title={t`Novedades`}>
      <NewsList onLeave={onClose} />
    </SideDialog>
  );
}

function NewsList({ onLeave }: { onLeave: () => void }) {
  const query = useInfiniteQuery(newsQuery);
  const { mutate: read } = useReadNews();
  const first = query.data?.pages[0];
  const newest = first && first.unread > 0 ? first.items[0]?.at : undefined;
  useEffect(() => {
    if (newest) read(newest);
  }, [newest, read]);
  const isNew = useNewSinceOpened(query.data?.pages.flatMap(({ items }) => items) ?? []);
  return (
    <PagedListView
      query={query}
      loading={<LoadingRows rows={5} height={56} />}
      empty={<EmptyState icon={<IconBell aria-hidden />}>{t`Aquí verás lo que pasa con tus envíos`}</EmptyState>}
      moreTestid="news-more"
      moreGap="md"
    >
      {(items) => (
        <ul className={classes.list} data-testid="news-list">
          {items.map((item) => (
            <li key={item.id}>
              <News item={item} isNew={isNew(item)} onLeave={onLeave} />
            </li>
          ))}
        </ul>
      )}
    </PagedListView>
  );
}

/** Which news were unread at any time since the list was opened. */
function useNewSinceOpened(items: readonly NewsItem[]): (item: NewsItem) => boolean {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const added = items.filter(({ id, unread }) => unread && !seen.has(id));
  if (added.length > 0) setSeen(new Set([...seen, ...added.map(({ id }) => id)]));
  return ({ id }) => seen.has(id);
}

function News({ item, isNew, onLeave }: { item: NewsItem; isNew: boolean; onLeave: () => void }) {
  const navigate = useNavigate();
  const { title, message, address } = newsText(item);
  return (
    <UnstyledButton
      className={classes.news}
      data-new={isNew || undefined}
      onClick={() => {
        onLeave();
        void navigate(address);
      }}
      data-testid="news-item"
      data-kind={item.kind}
    >
      <span className={classes.title}>
        <Text component="span" fw={600}>
          {title}
        </Text>
        {isNew && (
          <Badge size="sm" variant="light">
            <Trans>Nuevo</Trans>
          </Badge>
        )}
      </span>
      {message && (
        <Text component="span" fz="sm" display="block">
          {message}
        </Text>
      )}
      <Text component="time" dateTime={item.at} fz="sm" c="dimmed" display="block" className="cq-num">
        {formatMoment(item.at)}
      </Text>
    </UnstyledButton>
  );
}
