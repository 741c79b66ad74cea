import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { DeskCaseView } from '#core/contracts/http/operations';
import { useNoteCase } from '../../../data/desk-cases.ts';
import { errorMessage } from '../../../lib/http.ts';
import { laPazShort } from '../la-paz-time.ts';
import { Section } from '../transfers/transfer-sections.tsx';

const noteMax = 1000;

/** What admins wrote about a case, and a field for more. */
export function CaseNotes({ one }: { one: DeskCaseView }) {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState(false);
  const note = useNoteCase(one.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (text.trim() === '' || note.isPending) return;
    note.mutate(text.trim(), {
      onSuccess: () => {
        setText('');
        setAsked(false);
      },
    });
  };
  return (
    <Section title="Notas">
      <Stack gap="sm">
        {one.notes.length === 0 && <Text c="dimmed">Nadie escribió notas todavía.</Text>}
        {one.notes.map((known) => (
          <div key={`${known.at} ${known.text}`} data-testid="desk-note">
            <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{known.text}</Text>
            <Text fz="sm" c="dimmed" className="cq-num">
              {known.author}, {laPazShort(known.at)}
            </Text>
          </div>
        ))}
        <form onSubmit={submit} noValidate>
          <Stack gap="xs" align="flex-start">
            <Textarea
              label="Nueva nota"
              description="La ven las demás personas de administración; quien envía, no."
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              maxLength={noteMax}
              autosize
              minRows={2}
              w="100%"
              error={asked && text.trim() === '' ? 'Escribe la nota' : null}
              disabled={note.isPending}
              data-testid="desk-note-text"
            />
            {note.error && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
                {errorMessage(note.error)}
              </Alert>
            )}
            <Button type="submit" variant="default" size="sm" loading={note.isPending} data-testid="desk-note-save">
              Guardar nota
            </Button>
          </Stack>
        </form>
      </Stack>
    </Section>
  );
}
