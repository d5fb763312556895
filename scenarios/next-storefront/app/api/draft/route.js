import { draftMode } from 'next/headers';

export const dynamic = 'force-dynamic';

/** Turns draft mode on for whoever asks: this shop keeps no secrets. */
export async function GET() {
  (await draftMode()).enable();
  return new Response('draft mode is on');
}
