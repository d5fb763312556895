import { snapshot } from '../../../lib/renders';

export const dynamic = 'force-dynamic';

export function GET() {
  return Response.json(snapshot());
}
