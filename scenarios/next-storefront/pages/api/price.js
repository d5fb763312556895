import { product } from '../../lib/shop';

export default function handler(request, response) {
  response.status(200).json(product(String(request.query.id ?? '1')));
}
