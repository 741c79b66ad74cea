import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Badge, Card, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { waitingChecksQuery } from '../../../data/admin-users.ts';
import { useMay } from '../../../data/permission.ts';
import { rowsOf } from '../../../data/versioned-collection.ts';
import { formatLaPazMoment } from '../../../lib/format/dates.ts';
import { formatCount } from '../../../lib/format/numbers.ts';
import { MoreButton } from '../../../ui/paged-list-view.tsx';
import { levelNames } from './user-identity.tsx';

/** Checks of persons that wait for a decision, each opening its person; nothing while there is none, or for a role that may not see them. */
export function WaitingChecks({ open }: { open: (userId: string) => void }) {
  const may = useMay();
  const list = useInfiniteQuery({ ...waitingChecksQuery, enabled: may('identityChecks') });
  const rows = list.data ? rowsOf(list.data) : [];
  if (rows.length === 0) return null;
  const known = formatCount(rows.length);
  return (
    <Card padding="md" data-testid="waiting-checks">
      <Text fw={600} mb="xs">
        {list.hasNextPage
          ? t`Más de ${known} verificaciones de identidad esperan una decisión`
          : plural(rows.length, {
              one: '# verificación de identidad espera una decisión',
              other: '# verificaciones de identidad esperan una decisión',
            })}
      </Text>
      <Stack gap={6}>
        {rows.map(({ id, userId, name, level, sameDocument, createdAt }) => (
          <Group key={id} justify="space-between" gap="4px 12px">
            <Group gap="4px 12px">
              <Anchor
                component="button"
                type="button"
                ta="start"
                onClick={() => open(userId)}
                data-testid="waiting-check"
              >
                {name}
              </Anchor>
              {sameDocument && (
                <Badge color="red" variant="light" data-testid="waiting-same-document">
                  <Trans>Documento en otra cuenta</Trans>
                </Badge>
              )}
            </Group>
            <Text fz="sm" c="dimmed">
              {i18n._(levelNames[level])}, {formatLaPazMoment(createdAt)}
            </Text>
          </Group>
        ))}
      </Stack>
      <MoreButton list={list} testid="waiting-checks-more" mt="md" />
    </Card>
  );
}
