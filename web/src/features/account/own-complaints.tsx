import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { transferAddress } from '#core/contracts/page-addresses';
import { ownComplaintsQuery } from '../../data/complaints.ts';
import { PagedListView } from '../../ui/paged-list-view.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { OwnComplaint } from '../shared/own-complaint.tsx';

/** Everything that a sender reported, of all their transfers. */
export default function OwnComplaints() {
  const list = useInfiniteQuery(ownComplaintsQuery);
  return (
    <Stack gap="md">
      <PagedListView
        query={list}
        loading={<LoadingRows rows={1} height={72} />}
        empty={
          <Text c="dimmed">
            <Trans>Ninguno. Si algo sale mal con un envío, repórtalo desde su detalle.</Trans>
          </Text>
        }
        moreTestid="own-complaints-more"
      >
        {(items) =>
          items.map((one) => (
            <OwnComplaint key={one.id} complaint={one}>
              <Anchor component={Link} to={transferAddress(one.transferId)} fz="sm">
                <Trans>Ver el envío</Trans>
              </Anchor>
            </OwnComplaint>
          ))
        }
      </PagedListView>
    </Stack>
  );
}
