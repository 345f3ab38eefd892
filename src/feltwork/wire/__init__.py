"""NATS JetStream: messages, subjects, streams, keys."""
