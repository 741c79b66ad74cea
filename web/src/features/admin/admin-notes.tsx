import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, Text, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { formatLaPazMoment } from '../../lib/format/dates.ts';
import { errorMessage } from '../../lib/http.ts';
import { Section } from './admin-drawer.tsx';

const noteMax = 1000;

interface Call {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly mutate: (text: string, options: { onSuccess: () => void }) => void;
}

/** What admins wrote about a case or a report, and a field for more. */
export function AdminNotes({
  notes,
  call,
  testid,
}: {
  notes: readonly { readonly text: string; readonly author: string; readonly at: string }[];
  call: Call;
  /** Prefix of the test ids: `desk-note`, `desk-note-text`, `desk-note-save`. */
  testid: string;
}) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (text.trim() === '' || call.isPending) return;
    call.mutate(text.trim(), {
      onSuccess: () => {
        setText('');
        setAsked(false);
      },
    });
  };
  return (
    <Section title={t`Notas`}>
      <Stack gap="sm">
        {notes.length === 0 && (
          <Text c="dimmed">
            <Trans>Nadie escribió notas todavía.</Trans>
          </Text>
        )}
        {notes.map((known) => (
          <div key={`${known.at} ${known.text}`} data-testid={testid}>
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{known.text}</Text>
            <Text fz="sm" c="dimmed" className="cq-num">
              {known.author}, {formatLaPazMoment(known.at)}
            </Text>
          </div>
        ))}
        <form onSubmit={submit} noValidate>
          <Stack gap="xs" align="flex-start">
            <Textarea
              label={t`Nueva nota`}
              description={t`La ven las demás personas de administración; quien envía, no.`}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={noteMax}
              autosize
              minRows={2}
              w="100%"
              error={(asked && text.trim() === '' && t`Escribe la nota`) || (call.error && errorMessage(call.error))}
              disabled={call.isPending}
              data-testid={`${testid}-text`}
            />
            <Button type="submit" variant="default" size="sm" loading={call.isPending} data-testid={`${testid}-save`}>
              <Trans>Guardar nota</Trans>
            </Button>
          </Stack>
        </form>
      </Stack>
    </Section>
  );
}
