import { Alert, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { errorMessage } from '../../../lib/http.ts';

/** Why something was not done, and what changed about the case since the person read it. */
export function Refused({
  error,
  changes = [],
  testid = 'desk-refused',
}: {
  /** Or the message itself. */
  error: Error | string;
  changes?: readonly string[];
  testid?: string;
}) {
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" w="100%" data-testid={testid}>
      {typeof error === 'string' ? error : errorMessage(error)}
      {changes.length > 0 && (
        <>
          <Text fz="sm" fw={600} mt="xs">
            Cambió mientras tanto:
          </Text>
          <List fz="sm" data-testid="desk-changes">
            {changes.map((change) => (
              <List.Item key={change}>{change}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
