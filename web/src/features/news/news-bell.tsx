import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { lazy, useState } from 'react';
import { newsQuery, unreadText } from '../../data/news.ts';
import { useOptionalPages } from '../../data/optional-pages.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';

/** The list comes when somebody first opens it. */
const NewsDialog = lazy(async () => ({ default: (await import('./news-dialog.tsx')).NewsDialog }));

/** The bell of the bar: how many news are unread, and the list of all. */
export default function NewsBell() {
  const data = useOptionalPages(newsQuery);
  const [opened, setOpened] = useState(false);
  const unread = data?.pages[0]?.unread ?? 0;
  const count = unreadText(unread);
  const label =
    unread === 0 ? t`Novedades` : t`Novedades: ${plural(unread, { one: '# sin leer', other: `${count} sin leer` })}`;
  return (
    <>
      <Indicator label={count} size={18} disabled={unread === 0} offset={5} color="red" data-testid="news-count">
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          c="inherit"
          aria-label={label}
          aria-haspopup="dialog"
          onClick={() => setOpened(true)}
          data-testid="news-bell"
        >
          <IconBell size={20} aria-hidden />
        </ActionIcon>
      </Indicator>
      {opened && (
        <LazyPart>
          <NewsDialog onClose={() => setOpened(false)} />
        </LazyPart>
      )}
    </>
  );
}
