"""NATS JetStream: messages, subjects, streams."""
