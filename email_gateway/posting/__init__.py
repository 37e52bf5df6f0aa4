"""What is written to people: reports, notices, answers. Rendering only; the rows are the services' business."""
