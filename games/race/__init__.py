"""The Flower Garden race: two people, two gardens, one clock. Patience played alone knows nothing of it."""
